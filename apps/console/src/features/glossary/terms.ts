/** One word of the console and what it means. */
export interface Term {
  readonly word: string;
  readonly means: string;
}

/** The words of Setkeeper, in the order in which one needs them. */
export const terms: readonly { readonly title: string; readonly terms: readonly Term[] }[] = [
  {
    title: 'What the model says',
    terms: [
      {
        word: 'endpoint',
        means:
          'Something with addresses: a container, a virtual machine, an interface. Only active endpoints own members.',
      },
      { word: 'profile', means: 'Gives its tags to every endpoint that has it.' },
      { word: 'tag', means: 'A name that endpoints share through their profiles; becomes one set in each family.' },
      {
        word: 'network',
        means: 'Named blocks of addresses. An exception inside a block is a nomatch entry in the kernel.',
      },
      { word: 'list', means: 'A set whose members are sets.' },
      {
        word: 'group',
        means:
          'Anything that becomes sets: a tag, a named port of a tag, a network, a list, the addresses of all hosts. Its id says its kind: tag:web, port:web/http, net:corp, list:trusted, hosts:all.',
      },
      {
        word: 'owner',
        means: 'Why a member is in a group. A member leaves when its last owner leaves, whatever the order of events.',
      },
      {
        word: 'source',
        means: 'Where documents come from: a directory, etcd, or what was declared by hand. The upper one wins.',
      },
      {
        word: 'current, stale, missing',
        means: 'The source speaks; it is silent and its last good content is served; it has never spoken.',
      },
      { word: 'last good', means: 'An object whose document has a fault now keeps the last value that had none.' },
    ],
  },
  {
    title: 'What is in the kernel',
    terms: [
      { word: 'managed set', means: 'One group in one family; it owns one kernel name.' },
      {
        word: 'desired, programmed, kernel',
        means:
          'What the model asks for; what the kernel acknowledged; what a read-back saw, with the time it was seen. Three numbers, never one.',
      },
      { word: 'pending', means: 'Wanted and not programmed yet: exact members to add and to remove.' },
      {
        word: 'parked',
        means:
          'Rejected by the kernel, kept with its words, and tried again: after 1 s, then ever later, at most 5 min; at once when it or its set changes, or on retry.',
      },
      {
        word: 'over capacity',
        means: 'Members for which the set has no room. What is in stays in; free places are filled in order.',
      },
      { word: 'drift', means: 'The kernel differs from what was programmed: somebody else changed it.' },
      {
        word: 'waiting, starting, live, stopping',
        means:
          'Not read yet or nobody needs it; its first content is on the way; its content is in; its last reference is gone and it will be destroyed when no rule uses it.',
      },
      {
        word: 'in-sync, dirty, drifted, unknown',
        means:
          'All three numbers agree; the model wants more than was acknowledged; somebody else changed it; nobody knows, and the cause stands beside it.',
      },
      {
        word: 'used, unused, unseen',
        means: 'A rule or list uses the set; nothing does, so nothing enforces it; the holders could not be read.',
      },
      {
        word: 'leftover',
        means:
          'A set with our form of name that no managed set owns, or one with a former prefix. It may still be in use.',
      },
      { word: 'foreign', means: 'Every other set: shown, never written, never offered for deletion.' },
    ],
  },
  {
    title: 'Who needs a set',
    terms: [
      {
        word: 'reference',
        means:
          'A named holder that needs a group in the kernel: a policy, a list, an operator’s pin. Never a bare count.',
      },
      { word: 'kernel references', means: 'The number the kernel itself counts for a set.' },
      { word: 'holder', means: 'What was found to account for kernel references: an iptables rule, a list.' },
      {
        word: 'unexplained, leak',
        means:
          'Kernel references without a holder. One that lasts is a leak; so is a named reference whose referrer is gone.',
      },
      { word: 'pin', means: 'An operator’s own reference: the set stays until it is unpinned.' },
    ],
  },
  {
    title: 'How something is done',
    terms: [
      { word: 'plan', means: 'Exactly what would be sent: operations on sets, their restore script, and its digest.' },
      { word: 'digest', means: 'The fingerprint of a plan. Only the plan with the confirmed digest is carried out.' },
      { word: 'run', means: 'One execution of a plan, with one outcome for each operation.' },
      {
        word: 'applied, rejected, skipped, not-run',
        means: 'True in the kernel; refused, with the kernel’s words; left out because of another line; never sent.',
      },
      {
        word: 'reprogram',
        means: 'Write a whole set again: beside the old one, then swapped in. No reader sees it empty or half full.',
      },
      {
        word: 'held',
        means:
          'A change that removes more than the guard allows. Its additions go in; its removals wait for an operator.',
      },
      {
        word: 'hold',
        means: 'An operator’s stop of programming and repair, with a reason and an end. Read-back goes on.',
      },
      {
        word: 'override',
        means:
          'A temporary exception on a group: one address added or excluded. It beats every source and ends by itself.',
      },
    ],
  },
];
