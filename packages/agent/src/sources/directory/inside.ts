/** Whether a real path is the real root or lies below it. */
export const isInside = (realRoot: string, realPath: string): boolean =>
  realPath === realRoot || realPath.startsWith(realRoot.endsWith('/') ? realRoot : `${realRoot}/`);
