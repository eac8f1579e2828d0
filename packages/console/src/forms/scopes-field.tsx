import { Checkbox, Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { FieldGroup, problemText } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface WithScopes {
  readonly scopes: readonly string[];
}

/** Scopes that are made up here: typed, and taken by Enter, space or comma. */
export function NewScopesField<Fields extends WithScopes>({
  form,
  isDisabled = false,
}: {
  readonly form: RecordForm<Fields>;
  readonly isDisabled?: boolean;
}) {
  const [text, setText] = useState('');
  const scopes = form.values.scopes;
  const setScopes = (next: readonly string[]) =>
    form.change({ scopes: [...new Set(next)] } as unknown as Partial<Fields>);
  const take = (typed: string) => {
    const added = typed.split(/[\s,]+/).filter((scope) => scope !== '');
    if (added.length > 0) setScopes([...scopes, ...added]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' || event.key === ' ' || event.key === ',') {
      if (text === '' && event.key === 'Enter') return;
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '') setScopes(scopes.slice(0, -1));
  };
  return (
    <PillsInput
      size="sm"
      label="Scopes"
      description="What clients of this API may be given. Type a word and press Enter."
      disabled={isDisabled}
      error={problemText('Scopes', form.problemsOf('scopes' as Extract<keyof Fields, string>))}
    >
      <Pill.Group>
        {scopes.map((scope) => (
          <Pill
            key={scope}
            withRemoveButton={!isDisabled}
            onRemove={() => setScopes(scopes.filter((other) => other !== scope))}
            removeButtonProps={{ 'aria-label': `Remove ${scope}`, 'aria-hidden': false, tabIndex: 0 }}
          >
            {scope}
          </Pill>
        ))}
        <PillsInput.Field
          value={text}
          disabled={isDisabled}
          placeholder={scopes.length === 0 ? 'read, write' : ''}
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            event.preventDefault();
            take(text + event.clipboardData.getData('text'));
          }}
          onBlur={() => {
            take(text);
            form.leave('scopes' as Extract<keyof Fields, string>);
          }}
        />
      </Pill.Group>
    </PillsInput>
  );
}

/** Scopes to choose from. */
export function ChosenScopesField<Fields extends WithScopes>({
  form,
  available,
  isDisabled = false,
}: {
  readonly form: RecordForm<Fields>;
  readonly available: readonly string[];
  readonly isDisabled?: boolean;
}) {
  const { scopes } = form.values;
  const change = (scope: string, isChosen: boolean) => {
    const next = available.filter((other) => (other === scope ? isChosen : scopes.includes(other)));
    form.change({ scopes: next } as unknown as Partial<Fields>);
  };
  return (
    <FieldGroup
      label="Scopes"
      hint="What this client may be given, of what its API offers."
      problems={form.problemsOf('scopes' as Extract<keyof Fields, string>)}
    >
      {available.length === 0 ? (
        <EmptyState title="The API has no scopes yet" />
      ) : (
        <div className="scope-boxes">
          {available.map((scope) => (
            <Checkbox
              key={scope}
              size="sm"
              label={<code>{scope}</code>}
              disabled={isDisabled}
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) => change(scope, currentTarget.checked)}
            />
          ))}
        </div>
      )}
    </FieldGroup>
  );
}
