import { createEndpoint } from './create-endpoint.ts';

/** Request options for GitHub's REST and GraphQL APIs, or with `baseUrl` for any other. */
export const endpoint = createEndpoint({
  baseUrl: 'https://api.github.com',
  accept: 'application/vnd.github.v3+json',
});
