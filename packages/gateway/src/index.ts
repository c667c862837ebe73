export { ConfigError, loadGatewayConfig } from './config/load-config.ts';
export { openUserAdministration } from './logins/open-user-administration.ts';
export type { AdministrationRefusal, ChangedUser, UserAdministration } from './logins/user-administration.ts';
export type { UserRow } from './logins/users.ts';
