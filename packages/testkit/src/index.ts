export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { hiddenHolderProgram } from './hidden-holder.ts';
export { type ListedSetSketch, listedSets } from './listed-sets.ts';
export {
  type CommandResult,
  makeNetworkNamespace,
  type TestNamespace,
  whyNoNamespace,
  withNetworkNamespace,
} from './network-namespace.ts';
