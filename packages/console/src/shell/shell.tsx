import { Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';
import { placeOf, useHistoryEntry } from '../router/place.ts';
import { scrollBack } from '../router/scroll-back.ts';
import { t } from '../texts/texts.ts';
import { BrokenPage } from './broken.tsx';
import { CredentialSearch } from './credential-search.tsx';
import { Navigation } from './navigation.tsx';
import { pageAt } from './pages.tsx';

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
