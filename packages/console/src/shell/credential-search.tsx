import { type ReactNode, useEffect, useState } from 'react';
import type { FoundCredential } from '../components/credential.ts';
import { CredentialSearchContext } from '../components/credential-search.ts';
import { FoundToken } from '../pages/tokens/found-token.tsx';
import { usePlace } from '../router/place.ts';

/** The dialog for a credential that was put into a search of any page. */
export function CredentialSearch({ children }: { readonly children: ReactNode }) {
  const [found, setFound] = useState<FoundCredential | undefined>();
  const { path } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the dialog leaves it
  useEffect(() => setFound(undefined), [path]);
  return (
    <CredentialSearchContext value={setFound}>
      {children}
      {found !== undefined && <FoundToken found={found} onClose={() => setFound(undefined)} />}
    </CredentialSearchContext>
  );
}
