import { Button } from '@mantine/core';
import type { Client } from '@watchword/admin-client';
import { EmptyState } from '../../components/empty-state.tsx';

interface NoAccessProps {
  /** Only access of this one is listed. */
  readonly client: Client | undefined;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** Instead of rows, where there are none. */
export function NoAccess({ client, isFiltered, hasMore, onMore }: NoAccessProps) {
  if (hasMore) {
    return (
      <EmptyState title="Nothing found yet">
        <p>The server has searched the newest grants, and there are older ones.</p>
        <Button variant="default" onClick={onMore}>
          Search further
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title="No access fits">
        <p>Names of people, names of clients and clientIds are searched.</p>
      </EmptyState>
    );
  }
  if (client !== undefined) {
    return (
      <EmptyState title="No person has granted it access yet">
        <p>As soon as a person allows this client something, it is here.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No person has granted access yet">
      <p>
        As soon as a person allows a client something, it is here. Tokens of clients that act for themselves
        are under Tokens.
      </p>
    </EmptyState>
  );
}
