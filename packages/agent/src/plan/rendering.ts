import type { Operation } from '@setkeeper/ipset';

/** How an operation is written for the kernel: one line without newline. Restore text is one rendering; a plan takes it as a parameter, so that there can be another. */
export type RenderOperation = (operation: Operation) => string;
