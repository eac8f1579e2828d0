import type { Client } from '@watchword/admin-client';
import { Icon } from '../../components/icon.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Button } from '../../controls/button.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import type { ListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';

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
        label={t(client === undefined ? 'tokens.search' : 'tokens.searchOwner')}
        value={list.q}
        onSearch={(value) => list.set({ q: value })}
      />
      <SegmentedControl
        aria-label={t('tokens.which')}
        value={list.get('state') || 'live'}
        onChange={(value) => list.set({ state: value === 'live' ? '' : value })}
        data={[
          { value: 'live', label: t('tokens.valid') },
          { value: 'expired', label: t('tokens.expired') },
          { value: 'all', label: t('tokens.all') },
        ]}
      />
      {resourceOwnerId !== '' && (
        <Button
          variant="default"
          rightSection={<Icon name="close" />}
          onClick={() => list.set({ owner: '', identityProvider: '' })}
          aria-label={t('tokens.ofAll', { owner: resourceOwnerId })}
        >
          {t('tokens.of', { owner: resourceOwnerId })}
        </Button>
      )}
      {list.get('identityProvider') !== '' && mayWrite && (
        <Button variant="outline" color="red" onClick={onRevoke}>
          {t('tokens.revokeOfPerson')}
        </Button>
      )}
      {mayWrite && (
        <Button
          variant="default"
          className="toolbar-end"
          leftSection={<Icon name="plus" />}
          onClick={onIssue}
        >
          {t('tokens.issue')}
        </Button>
      )}
    </div>
  );
}
