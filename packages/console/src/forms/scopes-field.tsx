import { useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { PlainButton } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { onKeys } from '../controls/keys.ts';
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
  const onKeyDown = onKeys((event) => {
    if (event.key === 'Enter' || event.key === ' ' || event.key === ',') {
      if (text === '' && event.key === 'Enter') return;
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '') setScopes(scopes.slice(0, -1));
  });
  const label = form.labels.scopes;
  return (
    <Field
      label={label}
      description={t('form.scopesHint')}
      error={problemText(label, form.problemsOf('scopes'))}
    >
      {(links) => (
        <div className="input pills" data-disabled={isDisabled}>
          {scopes.map((scope) => (
            <span key={scope} className="pill">
              {scope}
              {!isDisabled && (
                <PlainButton
                  aria-label={t('form.removeScope', { scope })}
                  onClick={() => setScopes(scopes.filter((other) => other !== scope))}
                >
                  <Icon name="close" />
                </PlainButton>
              )}
            </span>
          ))}
          <input
            {...links}
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
        </div>
      )}
    </Field>
  );
}
