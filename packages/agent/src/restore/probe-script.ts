import { renderOperation, type SetHeader } from '@setkeeper/ipset';

/** The restore text that creates a set of this header and destroys it at once: proof that the kernel offers its type. */
export const probeScript = (header: SetHeader): string =>
  `${renderOperation({ op: 'create', set: header.name, header })}\n${renderOperation({ op: 'destroy', set: header.name })}\n`;
