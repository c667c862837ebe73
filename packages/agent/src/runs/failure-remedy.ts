import type { FailureCode } from '@setkeeper/ipset';

/** What an operator can do about a line that the kernel rejected, by its class (KERNEL.md section 2). */
export const failureRemedy: Readonly<Record<FailureCode, string>> = {
  'set-missing': 'Somebody destroyed the set meanwhile. It is created again with the next run.',
  'set-exists': 'A set of this name appeared meanwhile. It is read and taken over with the next run.',
  'set-in-use': 'A rule or a list still uses the set. Its holders are shown on the set; remove them, then retry.',
  busy: 'Another program is reading the set. It is tried again by itself.',
  'type-mismatch': 'The kernel set has another type than the model wants. See the set for its header and holders.',
  'swap-missing': 'Somebody destroyed one of the two sets meanwhile. Both are made again with the next run.',
  duplicate: 'The member is there already. The set is read back; nothing is to be done.',
  absent: 'The member is gone already. The set is read back; nothing is to be done.',
  full: 'The set is full. Reprogram it with a larger maxelem, or make the group smaller.',
  'list-member': 'A set of the list is missing or is itself a list. See the list’s members.',
  'null-element': 'The kernel cannot store this address (0.0.0.0 or ::). Take it out of the model.',
  'bad-cidr': 'The kernel cannot store this prefix length. Split the network in the model.',
  'out-of-range': 'The set cannot hold this element. Reprogram the set.',
  syntax: 'ipset did not understand the line: a defect, or an ipset that is too old. Keep the line and report it.',
  usage: 'ipset did not understand the line: a defect, or an ipset that is too old. Keep the line and report it.',
  'option-unsupported': 'The kernel set was made without this option. Reprogram the set.',
  'type-unsupported': 'This kernel does not offer the set type. Load its module, or boot a kernel that has it.',
  'protocol-error': 'The set was made anew with another type by somebody else. It is read and tried again by itself.',
  'set-limit': 'The kernel has as many sets as it can hold. Clean up leftovers.',
  permission: 'The agent may not change ipsets. Give it CAP_NET_ADMIN.',
  'no-session': 'The agent cannot talk to the kernel. Give it CAP_NET_ADMIN, and load the module ip_set.',
  unknown: 'Read the kernel’s own words. The set is read back, and the line is tried again by itself.',
};

/** The same for a code as text, also for those of a whole run (`timed-out`, `killed`, ...). */
export function remedyOf(code: string | undefined): string {
  return code !== undefined && code in failureRemedy ? failureRemedy[code as FailureCode] : failureRemedy.unknown;
}
