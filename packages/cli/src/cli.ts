import type { Command } from 'commander';
import { type AgentClient, createAgentClient } from './client/agent-client.ts';
import { agentTarget, type TargetOptions } from './client/agent-target.ts';
import { wireFailure } from './client/wire-failure.ts';
import { ExitCode } from './exit-code.ts';
import { createOutput, type Output } from './output/output.ts';
import type { World } from './world.ts';

/** What a command's action works with. */
export interface Tools {
  readonly world: World;
  readonly out: Output;
  readonly options: TargetOptions & { readonly json?: boolean };
}

/** The same with an agent to ask. */
export interface AgentTools extends Tools {
  readonly agent: AgentClient;
  readonly api: AgentClient['api'];
}

type Answer = Promise<ExitCode | undefined>;

/** What command files need to attach themselves: each action's exit status is kept here. */
export interface Cli {
  readonly world: World;
  exitCode: ExitCode;
  /** An action that needs no agent. */
  local<Args extends unknown[]>(act: (tools: Tools, ...args: Args) => Answer): (...args: Args) => Promise<void>;
  /** An action that asks the agent; the connection is closed after it. No status returned means `done`. */
  asking<Args extends unknown[]>(act: (tools: AgentTools, ...args: Args) => Answer): (...args: Args) => Promise<void>;
}

/** Makes the frame that commands hang their actions in. */
export function createCli(world: World, globals: () => ReturnType<Command['opts']>): Cli {
  const toolsNow = (): Tools => {
    const options: Tools['options'] = globals();
    return { world, options, out: createOutput(world, options.json === true) };
  };
  const cli: Cli = {
    world,
    exitCode: ExitCode.done,
    local:
      (act) =>
      async (...args) => {
        cli.exitCode = (await act(toolsNow(), ...args)) ?? ExitCode.done;
      },
    asking:
      (act) =>
      async (...args) => {
        const tools = toolsNow();
        const target = agentTarget(tools.options, world.env);
        const agent = createAgentClient(target, world.loginUser());
        try {
          cli.exitCode = (await act({ ...tools, agent, api: agent.api }, ...args)) ?? ExitCode.done;
        } catch (error) {
          throw wireFailure(error, target);
        } finally {
          await agent.close();
        }
      },
  };
  return cli;
}

/** A command file exports one of these: it adds its command to the program. */
export type AddCommand = (program: Command, cli: Cli) => void;
