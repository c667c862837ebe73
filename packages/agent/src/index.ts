export type { AgentConfig } from './config/agent-config.ts';
export { ConfigError, parseAgentConfig } from './config/load-config.ts';
export { type ValidatedModel, validateDirectory } from './sources/directory/validate-directory.ts';
