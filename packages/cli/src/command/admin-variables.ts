/** Environment variables with the credentials for a server. An argument is no place for them: other users can read it. */
export const adminVariables = {
  clientId: 'WATCHWORD_ADMIN_CLIENT_ID',
  secret: 'WATCHWORD_ADMIN_CLIENT_SECRET',
  secretFile: 'WATCHWORD_ADMIN_CLIENT_SECRET_FILE',
  token: 'WATCHWORD_ADMIN_TOKEN',
} as const;
