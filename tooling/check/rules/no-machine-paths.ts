import { type HouseRule, numberedLines } from '../project.ts';

// Written in pieces, so that this file is not its own fault.
const machine = new RegExp(
  `(^|[\\s"'\`(=:])(${['/wo' + 'rk/', '/tmp/p' + 'n/', '/ro' + 'ot/', '/ho' + 'me/[a-z]'].join('|')})`,
);

/** What only exists on the machine of whoever wrote it breaks everywhere else. */
export const noMachinePaths: HouseRule = {
  name: 'no paths of one machine',
  why: 'The project must work from any folder of any machine: paths are relative to the checkout, made from parameters, or standard places such as /etc/setkeeper.',
  find: (project) =>
    [...project].flatMap(([path, text]) =>
      path === 'LICENSE' || path === 'pnpm-lock.yaml'
        ? []
        : [...numberedLines(text)].flatMap(([line, content]) => {
            const found = machine.exec(content);
            return found === null ? [] : [{ path, line, message: `names ${found[2]}…` }];
          }),
    ),
};
