import type { AddCommand } from '../cli.ts';

/** `whoami`: who the agent takes the caller for, and what that role may ask. */
export const addWhoami: AddCommand = (program, cli) => {
  program
    .command('whoami')
    .description('who the agent takes you for, and what you may ask')
    .action(
      cli.asking(async ({ api, out }) => {
        const session = await api.session.get.query();
        if (out.isJson) await out.json(session);
        else {
          const verbs = Object.entries(session.verbs).filter(([, mayAsk]) => mayAsk);
          await out.facts([
            ['name', session.name],
            ['role', session.role],
            ['via', session.via],
            ['verbs', verbs.map(([verb]) => verb).join(' ')],
          ]);
        }
        return undefined;
      }),
    );
};
