/** Where the credentials for a server come from: never from the command line, which other users can read. */
export const adminVariables = {
  clientId: 'WATCHWORD_ADMIN_CLIENT_ID',
  secret: 'WATCHWORD_ADMIN_CLIENT_SECRET',
  token: 'WATCHWORD_ADMIN_TOKEN',
} as const;
