import { type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';
import type { FoundCredential } from '../components/search/credential.ts';
import { CredentialSearchContext } from '../components/search/credential-search.ts';
import { parts } from '../pages/parts.ts';
import { Link } from '../router/link.tsx';
import { type Part, part } from '../router/part.ts';
import { match, placeOf, scrollBack, useHistoryEntry, usePlace } from '../router/place.ts';
import { routes } from '../router/routes.ts';
import { t } from '../texts/texts.ts';
import { BrokenPage } from './broken.tsx';
import { Navigation } from './navigation.tsx';

/** The navigation, and the page of the address. */
export function Shell() {
  const { route, step, top } = useHistoryEntry();
  const { path } = placeOf(route);
  const main = useRef<HTMLElement>(null);
  const before = useRef({ step, path });
  useEffect(() => {
    if (before.current.step === step) return;
    const isOtherPage = before.current.path !== path;
    before.current = { step, path };
    // As after following a link to another page: keyboard and screen reader begin at its top.
    if (isOtherPage) main.current?.focus({ preventScroll: true });
    if (isOtherPage && top === undefined) window.scrollTo(0, 0);
    return top === undefined ? undefined : scrollBack(top);
  }, [step, path, top]);
  useEffect(() => {
    const timer = setTimeout(fetchOthers, calm);
    return () => clearTimeout(timer);
  }, []);
  return (
    <CredentialSearch>
      <div className="shell">
        <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
          {t('shell.skip')}
        </button>
        <Navigation />
        <main ref={main} tabIndex={-1} className="page">
          <ErrorBoundary
            key={path}
            fallback={(error, tryAgain) => <BrokenPage error={error} onRetry={tryAgain} />}
          >
            <Suspense fallback={<Loading />}>{pageAt(path)}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </CredentialSearch>
  );
}

const { records } = parts;
const Overview = part(async () => (await parts.overview()).Overview);
const ResourceServers = part(async () => (await parts.resourceServers()).ResourceServers);
const Clients = part(async () => (await parts.clients()).Clients);
const Access = part(async () => (await parts.access()).Access);
const Tokens = part(async () => (await parts.tokens()).Tokens);
const FoundToken = part(async () => (await parts.foundToken()).FoundToken);
const AuditLog = part(async () => (await parts.audit()).AuditLog);
const IdentityProviders = part(async () => (await parts.identityProviders()).IdentityProviders);
const NewIdentityProvider = part(async () => (await parts.newIdentityProvider()).NewIdentityProvider);
const IdentityProviderPage = part(async () => (await parts.identityProvider()).IdentityProviderPage);
const SigningKeys = part(async () => (await parts.signingKeys()).SigningKeys);
const BrandingPage = part(async () => (await parts.branding()).BrandingPage);
const Settings = part(async () => (await parts.settings()).Settings);
const NewResourceServer = part(async () => (await records()).NewResourceServer);
const ResourceServerPage = part(async () => (await records()).ResourceServerPage);
const NewClient = part(async () => (await records()).NewClient);
const Accounts = part(async () => (await records()).Accounts);
const DescribedClients = part(async () => (await records()).DescribedClients);
const ClientNamed = part(async () => (await records()).ClientNamed);
const PersonPage = part(async () => (await records()).PersonPage);
const RequestErrorPage = part(async () => (await records()).RequestErrorPage);
const ClientPage = part(async () => (await records()).ClientPage);

// Milliseconds after which the first page has most likely come.
const calm = 3000;

/** Then the other pages open at once. */
function fetchOthers(): void {
  for (const [, page] of pages) void fetched(page({}));
}

/** Resolves when the page at the path is here. One that cannot be fetched now is fetched when it is shown. */
export function fetchPageAt(path: string): Promise<unknown> {
  return fetched(pageAt(path));
}

async function fetched({ type }: ReactElement): Promise<unknown> {
  return (type as Partial<Part<unknown>>).fetched?.().catch(() => {});
}

type Values = Readonly<Record<string, string>>;

const pages: readonly (readonly [pattern: string, page: (values: Values) => ReactElement])[] = [
  [routes.overview, () => <Overview />],
  [routes.resourceServers, () => <ResourceServers />],
  [routes.newResourceServer, () => <NewResourceServer />],
  [routes.resourceServer, ({ id }) => <ResourceServerPage key={id} id={Number(id)} />],
  [routes.newClient, ({ id }) => <NewClient key={id} resourceServerId={Number(id)} />],
  [
    routes.client,
    ({ id, clientId }) => <ClientPage key={clientId} resourceServerId={Number(id)} id={Number(clientId)} />,
  ],
  [routes.clientNamed, ({ named = '' }) => <ClientNamed clientId={named} />],
  [routes.clients, () => <Clients />],
  [routes.describedClients, () => <DescribedClients />],
  [routes.access, () => <Access />],
  [
    routes.person,
    ({ identityProvider = '', name = '' }) => (
      <PersonPage resourceOwnerAuthority={identityProvider} resourceOwnerId={name} />
    ),
  ],
  [routes.tokens, () => <Tokens />],
  [routes.accounts, () => <Accounts />],
  [routes.identityProviders, () => <IdentityProviders />],
  [routes.newIdentityProvider, () => <NewIdentityProvider />],
  [routes.identityProvider, ({ named = '' }) => <IdentityProviderPage key={named} name={named} />],
  [routes.signingKeys, () => <SigningKeys />],
  [routes.branding, () => <BrandingPage />],
  [routes.settings, () => <Settings />],
  [routes.requestError, ({ requestId = '' }) => <RequestErrorPage requestId={requestId} />],
  [routes.audit, () => <AuditLog />],
];

function pageAt(path: string): ReactElement {
  for (const [pattern, page] of pages) {
    const values = match(pattern, path);
    if (values !== undefined && ['id', 'clientId'].every((name) => /^\d{1,15}$/.test(values[name] ?? '0'))) {
      return page(values);
    }
  }
  return <NothingHere />;
}

/** For addresses that lead nowhere. */
function NothingHere() {
  return (
    <EmptyState title={t('notHere.title')} isHeading>
      <Link to={routes.overview}>{t('notHere.overview')}</Link>
    </EmptyState>
  );
}

/** The dialog for a credential that was put into a search of any page. */
function CredentialSearch({ children }: { readonly children: ReactNode }) {
  const [found, setFound] = useState<FoundCredential | undefined>();
  const { path } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the dialog leaves it
  useEffect(() => setFound(undefined), [path]);
  return (
    <CredentialSearchContext value={setFound}>
      {children}
      {found !== undefined && (
        <Suspense>
          <FoundToken found={found} onClose={() => setFound(undefined)} />
        </Suspense>
      )}
    </CredentialSearchContext>
  );
}
