import { Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../texts/texts.ts';
import { problemText } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface ScopesFieldProps {
  readonly form: RecordForm<{ readonly scopes: readonly string[] }>;
  readonly isDisabled?: boolean;
}

/** Scopes that are made up here: typed, and taken by Enter, space or comma. */
export function NewScopesField({ form, isDisabled = false }: ScopesFieldProps) {
  const [text, setText] = useState('');
  const scopes = form.values.scopes;
  const setScopes = (next: readonly string[]) => form.set('scopes', [...new Set(next)]);
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
      label={form.labels.scopes}
      description={t('form.scopesHint')}
      disabled={isDisabled}
      error={problemText(form.labels.scopes, form.problemsOf('scopes'))}
    >
      <Pill.Group>
        {scopes.map((scope) => (
          <Pill
            key={scope}
            withRemoveButton={!isDisabled}
            onRemove={() => setScopes(scopes.filter((other) => other !== scope))}
            removeButtonProps={{
              'aria-label': t('form.removeScope', { scope }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {scope}
          </Pill>
        ))}
        <PillsInput.Field
          value={text}
          disabled={isDisabled}
          placeholder={scopes.length === 0 ? t('form.scopesExample') : ''}
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
            form.leave('scopes');
          }}
        />
      </Pill.Group>
    </PillsInput>
  );
}
