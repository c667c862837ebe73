/** What a model may weigh, so that no document can hold the agent up. Beyond each limit is a fault, never a cut. */
export const MODEL_LIMITS = {
  /** One YAML or JSON file. YAML is read at about 1 MB/s, JSON at 50. */
  documentBytesMax: 64 * 1024 * 1024,
  /** One file of `files:`. */
  listFileBytesMax: 128 * 1024 * 1024,
  /** Mappings and lists inside one another; a model needs five. */
  depthMax: 32,
  /** List items and mapping entries that are read through aliases, in one file. */
  aliasedValuesMax: 1_000_000,
  /** Characters of a note. */
  noteLengthMax: 2_000,
  /** Characters of an object's text that a row of its history keeps. */
  historyTextMax: 2_000,
  /** Faults told for one object. */
  faultsOfObjectMax: 20,
} as const;
