import { Button } from '@mantine/core';
import { EmptyState } from '../../components/empty-state.tsx';

interface NoTokensProps {
  readonly isAdministrator: boolean;
  readonly isFiltered: boolean;
  readonly state: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** What stands where no token is listed. */
export function NoTokens({ isAdministrator, isFiltered, state, hasMore, onMore }: NoTokensProps) {
  if (hasMore) {
    return (
      <EmptyState title="Nothing found yet">
        <p>The server has looked through the newest tokens, and there are older ones.</p>
        <Button variant="default" onClick={onMore}>
          Look further
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) return <EmptyState title="No token fits" />;
  if (state === 'expired') return <EmptyState title="No expired token" />;
  return (
    <EmptyState title="No valid token">
      <p>
        {isAdministrator
          ? 'As soon as a client gets one, it is here. The page of each client has a command to try it with.'
          : 'As soon as a client gets one in your name, it is here.'}
      </p>
    </EmptyState>
  );
}
