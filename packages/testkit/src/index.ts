export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { FakeKernel, type KernelFaults } from './fake-kernel/fake-kernel.ts';
export { FakeLauncher, type FakeLauncherOptions } from './fake-kernel/fake-launcher.ts';
export { FakeRestore } from './fake-kernel/fake-restore.ts';
export type { FakeSet } from './fake-kernel/fake-set.ts';
export type { FakeSpawnRequest, Interference, RestoreMoment } from './fake-kernel/launcher-shape.ts';
export { hiddenHolderProgram } from './hidden-holder.ts';
export { type LineRunner, lineOracle, type OracleException } from './line-oracle.ts';
export { type ListedSetSketch, listedSets } from './listed-sets.ts';
export {
  type CommandResult,
  makeNetworkNamespace,
  type TestNamespace,
  whyNoNamespace,
  withNetworkNamespace,
} from './network-namespace.ts';
export { seededRandom } from './random-number.ts';
export { FOREIGN_SETS, RANDOM_PLAN_SETS, type RandomPlan, randomPlan, type SectionSketch } from './random-plan.ts';
