/** The pages with forms, which are fetched together. */
export { Accounts } from './accounts/accounts.tsx';
export { ClientNamed, ClientPage } from './client/client.tsx';
export { NewClient } from './client/new-client.tsx';
export { DescribedClients } from './described-clients/described-clients.tsx';
export { PersonPage } from './person/person.tsx';
export { RequestErrorPage } from './request-error/request-error.tsx';
export { NewResourceServer } from './resource-server/new-resource-server.tsx';
export { ResourceServerPage } from './resource-server/resource-server.tsx';
