import { useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../components/empty-state.tsx';
import { Button } from '../controls/button.tsx';
import { MissingPartError } from '../router/part.ts';
import { t } from '../texts/texts.ts';

/** Replaces a page that failed. The navigation around it still works. */
export function BrokenPage({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const queries = useQueryClient();
  if (error instanceof MissingPartError) {
    return (
      <div role="alert">
        <EmptyState title={t('broken.part.title')} isHeading>
          <p>{t('broken.part.advice')}</p>
          <Reload />
        </EmptyState>
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState title={t('broken.page.title')} isHeading>
        <p>{t('broken.page.advice')}</p>
        <Cause error={error} />
        <Reload />{' '}
        <Button
          variant="default"
          onClick={() => {
            // What it failed at may be an answer of the server that is kept.
            queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'principal' });
            onRetry();
          }}
        >
          {t('action.retry')}
        </Button>
      </EmptyState>
    </div>
  );
}

/** In place of everything. */
export function BrokenApplication({ error }: { readonly error: unknown }) {
  return (
    <main className="lone">
      <div role="alert">
        <h1>{t('broken.application.title')}</h1>
        <p>{t('broken.application.advice')}</p>
        <Cause error={error} />
      </div>
      <Reload />
    </main>
  );
}

/** For a report of the defect. */
function Cause({ error }: { readonly error: unknown }) {
  return (
    <p className="quiet">
      <code>{error instanceof Error ? error.message : String(error)}</code>
    </p>
  );
}

function Reload() {
  return <Button onClick={() => location.reload()}>{t('action.reload')}</Button>;
}
