import { Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';
import { usePlace } from '../router/place.ts';
import { BrokenPage } from './broken.tsx';
import { Navigation } from './navigation.tsx';
import { pageAt } from './pages.tsx';

/** Navigation beside the page that the address names. */
export function Shell() {
  const { path } = usePlace();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the path whose change counts
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else {
      // As after following a link to another page: keyboard and screen reader begin at its top.
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
  }, [path]);
  return (
    <div className="shell">
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
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
  );
}
