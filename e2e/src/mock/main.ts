import { consoleDirectory, mockServer } from './mock-server.ts';
import { scenarios } from './mock-state.ts';

const [wanted, port] = process.argv.slice(2);
const scenario = scenarios.find((one) => one === wanted) ?? 'trouble';
const server = await mockServer({ scenario, consoleDirectory });
const address = await server.listen({ host: '127.0.0.1', port: Number(port ?? '8471') });
console.log(`The invented agent (${scenario}) is at ${address}`);
