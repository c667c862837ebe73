import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

// Tests, and what only tests import.
const notTests = '(\\.test\\.tsx?$|/(fixtures|testing)/)';
const pure = 'model|membership|sets|guard|plan';
const adapters = 'restore|kernel|holders|sources|store|server|launcher';
const nodeInputOutput =
  '^(node:)?(fs|fs/promises|net|http|http2|https|tls|dgram|dns|dns/promises|child_process|cluster|worker_threads|sqlite|readline|repl|tty|os|process|timers|timers/promises|perf_hooks)$';

/**
 * The direction of imports. Each rule is one forbidden edge of the design, with the sentence that a person who ran into
 * it should read. `pnpm check imports` runs them; docs/ARCHITECTURE.md draws them.
 */
export const forbiddenEdges: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    comment:
      'Two modules that import each other are one module in two files: find the idea both need and give it its own file.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'resolvable',
    comment:
      'An import that does not resolve works on one machine only: declare it in the package.json of the package that uses it.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^(vitest|next|react)' },
  },
  {
    name: 'one-door-a-package',
    comment:
      'A package is entered through src/index.ts alone: what it does not export is its own business and free to change.',
    severity: 'error',
    from: { path: '^(packages|apps)/([^/]+)/' },
    to: { path: '^(packages|apps)/[^/]+/src/', pathNot: ['^$1/$2/', '/src/index\\.ts$'] },
  },
  {
    name: 'ipset-stands-alone',
    comment:
      'packages/ipset is the language of ipset and knows nothing of Setkeeper: it imports no other package of ours.',
    severity: 'error',
    from: { path: '^packages/ipset/src', pathNot: notTests },
    to: { path: ['^(packages|apps|e2e|bench|tooling)/', '/@setkeeper/'], pathNot: '^packages/ipset/' },
  },
  {
    name: 'ipset-is-pure',
    comment:
      'packages/ipset takes text and gives values: no file, process, socket or clock, so that it runs anywhere and is tested with values alone.',
    severity: 'error',
    from: { path: '^packages/ipset/src', pathNot: notTests },
    to: { path: nodeInputOutput },
  },
  {
    name: 'api-is-only-the-contract',
    comment:
      'packages/api is what processes agree on; importing one of the sides would make the contract depend on who keeps it.',
    severity: 'error',
    from: { path: '^packages/api/' },
    to: { path: '^(packages/(agent|gateway|cli|testkit)|apps|e2e|bench|tooling)/' },
  },
  {
    name: 'api-does-no-io',
    comment:
      'packages/api is loaded by every process, the browser included (as types): it opens no file, socket or process.',
    severity: 'error',
    from: { path: '^packages/api/src', pathNot: notTests },
    to: { path: nodeInputOutput },
  },
  {
    name: 'agent-knows-no-front',
    comment:
      'The privileged agent must not load code of the gateway, the CLI or the console: they talk to it over its sockets.',
    severity: 'error',
    from: { path: '^packages/agent/' },
    to: { path: '^(packages/(gateway|cli)|apps|e2e|bench|tooling)/' },
  },
  {
    name: 'gateway-knows-no-agent',
    comment:
      'The unprivileged gateway must not load code of the agent: it reaches agents over their sockets and nothing else.',
    severity: 'error',
    from: { path: '^packages/gateway/' },
    to: { path: '^(packages/(agent|cli)|apps|e2e|bench|tooling)/' },
  },
  {
    name: 'gateway-starts-no-process',
    comment: 'The gateway parses what strangers send it, so it must not be able to start a program.',
    severity: 'error',
    from: { path: '^packages/gateway/src', pathNot: notTests },
    to: { path: ['^(node:)?(child_process|cluster)$', '/execa/'] },
  },
  {
    name: 'cli-knows-no-console',
    comment: 'The CLI and the console show the same verbs side by side; neither is built on the other.',
    severity: 'error',
    from: { path: '^packages/cli/' },
    to: { path: '^(apps|e2e|bench|tooling)/' },
  },
  {
    name: 'console-imports-api-types-only',
    comment:
      'The console takes types from packages/api and no code: what the browser runs must not contain server code.',
    severity: 'error',
    from: { path: '^apps/console/' },
    to: { path: '^packages/api/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'console-knows-api-alone',
    comment: 'The console knows the contract and nothing behind it: of our packages it imports packages/api only.',
    severity: 'error',
    from: { path: '^apps/console/' },
    to: { path: '^(packages|e2e|bench|tooling)/', pathNot: '^packages/api/' },
  },
  {
    name: 'testkit-is-for-tests',
    comment:
      'packages/testkit holds a kernel that is not real; code that runs on a server must not be able to reach it. tooling/faults is a test by itself.',
    severity: 'error',
    from: { path: '^(packages|apps|tooling)/', pathNot: [notTests, '^packages/testkit/', '^tooling/faults/'] },
    to: { path: '^packages/testkit/' },
  },
  {
    name: 'testkit-knows-ipset-alone',
    comment:
      'packages/testkit stands in for the kernel, not for us: it knows the language of ipset and none of our other packages.',
    severity: 'error',
    from: { path: '^packages/testkit/' },
    to: { path: '^(packages|apps|e2e|bench|tooling)/', pathNot: '^packages/(testkit|ipset)/' },
  },
  {
    name: 'agent-core-knows-no-adapter',
    comment:
      'model, membership, sets, guard and plan take values and return values: whoever executes, stores or serves imports them, never the other way.',
    severity: 'error',
    from: { path: `^packages/agent/src/(${pure})/`, pathNot: notTests },
    to: { path: `^packages/agent/src/(${adapters}|entry|main\\.ts|index\\.ts)` },
  },
  {
    name: 'agent-core-is-pure',
    comment:
      'model, membership, sets, guard and plan open no file, socket or process and read no clock: these come in as parameters from main.ts.',
    severity: 'error',
    from: { path: `^packages/agent/src/(${pure})/`, pathNot: notTests },
    to: { path: [nodeInputOutput, '/(execa|fastify|etcd3|pino)/'] },
  },
  {
    name: 'nobody-imports-main',
    comment:
      'main.ts, with daemon/, is where clock, processes, sockets and files are made and handed down; a module that imports it would fetch them itself.',
    severity: 'error',
    from: {
      path: '^packages/agent/src/',
      pathNot: ['^packages/agent/src/(entry/|daemon/|index\\.ts$|main)', notTests],
    },
    to: { path: '^packages/agent/src/(main\\.ts$|daemon/)' },
  },
  {
    name: 'only-the-launcher-starts-children',
    comment:
      'Every child of the agent is started by the small launcher process: a fork from the large agent stalls its event loop for tens of milliseconds.',
    severity: 'error',
    from: { path: '^packages/agent/src/', pathNot: ['^packages/agent/src/(launcher|entry)/', notTests] },
    to: { path: ['^(node:)?(child_process|cluster)$', '/execa/'] },
  },
  {
    name: 'only-the-store-opens-the-database',
    comment:
      'Migrations, durability and what happens when the disk is full are decided in one place: only store folders import node:sqlite.',
    severity: 'error',
    from: { path: '^packages/', pathNot: ['/src/store/', '^packages/gateway/src/', notTests] },
    to: { path: '^(node:)?sqlite$' },
  },
  {
    name: 'only-the-server-speaks-http',
    comment:
      'In the agent, Fastify is an adapter at the edge: the core must be usable, and tested, without any server.',
    severity: 'error',
    from: { path: '^packages/agent/src/', pathNot: ['^packages/agent/src/(server|daemon)/', notTests] },
    to: { path: '/fastify/' },
  },
  {
    name: 'only-sources-speak-etcd',
    comment: 'etcd is one kind of source; nothing else in the agent may know how it is reached.',
    severity: 'error',
    from: { path: '^packages/agent/src/', pathNot: ['^packages/agent/src/sources/', notTests] },
    to: { path: '/etcd3/' },
  },
  {
    name: 'products-know-no-tooling',
    comment: 'What runs on a server must not depend on how this repository is built and tested.',
    severity: 'error',
    from: { path: '^(packages|apps)/' },
    to: { path: '^(tooling|bench|e2e)/' },
  },
];

/** How imports are found and resolved: type imports too, workspace packages at their real path. */
export const cruiseOptions: ICruiseOptions = {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)(dist|out|\\.next|\\.turbo|\\.setkeeper|\\.tools)/' },
  tsPreCompilationDeps: 'specify',
  combinedDependencies: false,
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['import', 'node', 'types', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    mainFields: ['module', 'main', 'types'],
  },
  skipAnalysisNotInRules: false,
};
