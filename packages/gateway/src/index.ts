export { runGatewayProgram } from './run-gateway-program.ts';
