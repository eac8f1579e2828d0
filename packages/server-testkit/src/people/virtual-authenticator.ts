import type { CDPSession, Page } from 'playwright-core';

/** Chromium's own authenticator, in the place of a device: another implementation of WebAuthn than that of the server. */
export interface VirtualAuthenticator {
  credentials(): Promise<readonly { readonly credentialId: string; readonly userHandle?: string }[]>;
  /** Whether its user confirms what a page asks, and whether the device knows the user then. At first both. */
  set(user: { readonly isPresent?: boolean; readonly isVerified?: boolean }): Promise<void>;
}

/** @param page of Chromium, for which it answers */
export async function virtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    },
    async set({ isPresent: enabled, isVerified: isUserVerified }) {
      const of = { authenticatorId };
      if (isUserVerified !== undefined) {
        await session.send('WebAuthn.setUserVerified', { ...of, isUserVerified });
      }
      if (enabled !== undefined) {
        await session.send('WebAuthn.setAutomaticPresenceSimulation', { ...of, enabled });
      }
    },
  };
}
