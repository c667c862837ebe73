export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { type ListedSetSketch, listedSets } from './listed-sets.ts';
export {
  type CommandResult,
  makeNetworkNamespace,
  type TestNamespace,
  whyNoNamespace,
  withNetworkNamespace,
} from './network-namespace.ts';
