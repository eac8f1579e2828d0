/** How strict the server is: `compatible` takes whatever OAuth 2.0 permits, the others what their specification permits. */
export const profiles = ['compatible', 'oauth-2.1', 'mcp', 'fapi-2.0'] as const;

export type Profile = (typeof profiles)[number];

/** A profile with rules. */
export type StricterProfile = Exclude<Profile, 'compatible'>;
