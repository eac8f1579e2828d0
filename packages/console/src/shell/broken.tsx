import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../components/empty-state.tsx';
import { MissingPartError } from './part.ts';

/** Replaces a page that failed. The navigation around it still works. */
export function BrokenPage({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const queries = useQueryClient();
  if (error instanceof MissingPartError) {
    return (
      <div role="alert">
        <EmptyState title="This page could not be loaded" isHeading>
          <p>
            The server has a newer version of these pages, or it cannot be reached. What you have typed is
            still here after a reload.
          </p>
          <Reload />
        </EmptyState>
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState title="This page has failed" isHeading>
        <p>It is a defect of these pages. What you have typed is kept.</p>
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
          Try again
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
        <h1>These pages have failed</h1>
        <p>This is a defect of the pages. Reload them to continue.</p>
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
  return <Button onClick={() => location.reload()}>Reload</Button>;
}
