import { useQuery } from '@tanstack/react-query';
import { useEnvironment, usePerson } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** Something that a person should look at. */
export interface Finding {
  readonly key: string;
  /** One sentence. */
  readonly text: string;
  /** Where it is seen and ended. */
  readonly to: string;
  readonly action: string;
}

/** What needs attention. The server counts some of it, so it is not asked each minute. */
export function useFindings() {
  const { admin } = useEnvironment();
  const { isAdministrator } = usePerson();
  return useQuery({
    queryKey: ['findings'],
    queryFn: async ({ signal }): Promise<readonly Finding[]> => {
      if (!isAdministrator) return [];
      const removed = await admin.identityProviders.list({ configured: false }, { signal });
      return removed.items.map(({ identityProvider, grants }) => ({
        key: `identity provider ${identityProvider}`,
        text: t('finding.identityProvider', { identityProvider, grants }),
        to: routes.identityProviders,
        action: t('navigation.identityProviders'),
      }));
    },
    staleTime: 300_000,
  });
}
