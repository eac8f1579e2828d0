import { Button, SegmentedControl } from '@mantine/core';
import type { Client } from '@watchword/admin-client';
import { Icon } from '../../components/icon.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import type { ListState } from '../../router/use-list-state.ts';

interface TokenToolbarProps {
  readonly list: ListState;
  readonly client: Client | undefined;
  readonly mayWrite: boolean;
  readonly onIssue: () => void;
  readonly onRevoke: () => void;
}

/** Which tokens the list shows, and what can be done with all of them. */
export function TokenToolbar({ list, client, mayWrite, onIssue, onRevoke }: TokenToolbarProps) {
  const resourceOwnerId = list.get('owner');
  return (
    <div className="toolbar">
      <SearchBox
        label={client === undefined ? 'Search by client or owner' : 'Search by owner'}
        value={list.q}
        onSearch={(value) => list.set({ q: value })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Which tokens"
        value={list.get('state') || 'live'}
        onChange={(value) => list.set({ state: value === 'live' ? '' : value })}
        data={[
          { value: 'live', label: 'Valid' },
          { value: 'expired', label: 'Expired' },
          { value: 'all', label: 'All' },
        ]}
      />
      {resourceOwnerId !== '' && (
        <Button
          variant="default"
          rightSection={<Icon name="close" />}
          onClick={() => list.set({ owner: '', identityProvider: '' })}
          aria-label={`Show the tokens of all resource owners, not only of ${resourceOwnerId}`}
        >
          of {resourceOwnerId}
        </Button>
      )}
      {list.get('identityProvider') !== '' && mayWrite && (
        <Button variant="outline" color="red" onClick={onRevoke}>
          Revoke everything of this person
        </Button>
      )}
      {mayWrite && (
        <Button
          variant="default"
          className="toolbar-end"
          leftSection={<Icon name="plus" />}
          onClick={onIssue}
        >
          Issue a token
        </Button>
      )}
    </div>
  );
}
