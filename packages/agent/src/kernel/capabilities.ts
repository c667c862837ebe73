import type { Launcher } from '../launcher/launcher-client.ts';

/** Bits of capabilities(7), from linux/capability.h. */
const NET_ADMIN = 12n;
const NET_RAW = 13n;

/** What children of the launcher may do: their own effective capabilities, since ambient ones are what a child gets. */
export async function readCapabilities(
  launcher: Launcher,
): Promise<{ readonly netAdmin: boolean; readonly netRaw: boolean }> {
  const cat = await launcher.which('cat');
  if (cat === null) return { netAdmin: false, netRaw: false };
  const { stdout } = await launcher.run({ file: cat, args: ['/proc/self/status'], timeoutSeconds: 5 });
  const [, hex = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(Buffer.from(stdout).toString('latin1')) ?? [];
  const effective = BigInt(`0x${hex}`);
  const has = (bit: bigint): boolean => ((effective >> bit) & 1n) === 1n;
  return { netAdmin: has(NET_ADMIN), netRaw: has(NET_RAW) };
}
