import { formatIpv4, type Member, memberFromKernel } from '@setkeeper/ipset';
import type { KernelReader, ReadFault } from '../kernel/kernel-reader.ts';
import type { ManagedSet } from '../sets/managed-set.ts';

/** What one pass over the content of all sets came to. */
export interface ScanResult {
  /** Sets whose elements are not those that are programmed: to be looked at one by one before it is called drift. */
  readonly suspects: readonly ManagedSet[];
  /** Sets that changed by our own doing while they were read. */
  readonly unclear: readonly ManagedSet[];
  readonly compared: number;
  readonly fault: ReadFault | null;
}

/**
 * Compares the elements of all managed sets with their ledgers, from one dump of everything. Keeps no element: it counts
 * those that are programmed and stops at the first that is not. Concludes nothing of a set that changed meanwhile.
 */
export async function scanContents(
  reader: KernelReader,
  owner: (name: string) => ManagedSet | undefined,
): Promise<ScanResult> {
  const suspects: ManagedSet[] = [];
  const unclear: ManagedSet[] = [];
  let compared = 0;
  let current: SetScan | null = null;
  const finish = (): void => {
    if (current === null) return;
    compared += 1;
    const verdict = current.verdict();
    if (verdict === 'unclear') unclear.push(current.set);
    else if (verdict === 'suspect') suspects.push(current.set);
    current = null;
  };
  const reading = await reader.everything({
    onSet: ({ name }) => {
      finish();
      const set = owner(name);
      current = set === undefined ? null : SetScan.begin(set);
    },
    onMember: (_name, element, options) => current?.sawText(element, options?.nomatch ?? false),
    onIpv4: (_name, address, prefixLength) => current?.sawIpv4(address, prefixLength),
    onAnomaly: () => {},
  });
  if (!reading.ok) return { suspects: [], unclear: [], compared: 0, fault: reading.fault };
  finish();
  return { suspects, unclear, compared, fault: null };
}

class SetScan {
  readonly set: ManagedSet;
  readonly #version: number;
  #programmed = 0;
  #hasOther = false;

  private constructor(set: ManagedSet) {
    this.set = set;
    this.#version = set.ledger.version;
  }

  /** Null: nothing can be said of it now. */
  static begin(set: ManagedSet): SetScan | null {
    return set.ledger.content.kind === 'known' && !set.isInFlight ? new SetScan(set) : null;
  }

  sawText(element: string, nomatch: boolean): void {
    if (!this.#hasOther) this.#saw(memberFromKernel(this.set.type, this.set.family, element, nomatch));
  }

  sawIpv4(address: number, prefixLength: number): void {
    if (this.#hasOther) return;
    const text = formatIpv4(address);
    this.#saw((prefixLength === 32 ? text : `${text}/${prefixLength}`) as Member);
  }

  verdict(): 'same' | 'suspect' | 'unclear' {
    const { ledger, isInFlight } = this.set;
    if (isInFlight || ledger.version !== this.#version) return 'unclear';
    return this.#hasOther || this.#programmed !== ledger.programmed ? 'suspect' : 'same';
  }

  #saw(element: Member): void {
    if (this.set.ledger.isProgrammed(element) === true) this.#programmed += 1;
    else this.#hasOther = true;
  }
}
