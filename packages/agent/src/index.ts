export type { AgentConfig } from './config/agent-config.ts';
export { ConfigError, parseAgentConfig } from './config/load-config.ts';
export {
  type GuardVerdict,
  type ModelFiles,
  type OfflinePlan,
  type OfflineQuestion,
  offlinePlan,
  type PlanBase,
} from './offline/offline-plan.ts';
export { type ReadModel, readModelDirectory } from './sources/directory/read-model-directory.ts';
export { type ValidatedModel, validateDirectory } from './sources/directory/validate-directory.ts';
