import { createContext, useContext } from 'react';
import type { FoundCredential } from './credential.ts';

export const CredentialSearchContext = createContext<(found: FoundCredential) => void>(() => {});

/** Shows a credential that was typed or pasted into a search. */
export function useCredentialSearch(): (found: FoundCredential) => void {
  return useContext(CredentialSearchContext);
}
