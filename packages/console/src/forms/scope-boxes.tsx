import type { DescribedScope } from '@watchword/admin-client';
import { Checkbox } from '../controls/choices.tsx';
import { textIn } from '../format/value.ts';
import { language as pageLanguage, t } from '../texts/texts.ts';
import { FieldGroup } from './fields.tsx';

interface ScopeBoxesProps {
  /** Default: that they are scopes. */
  readonly label?: string;
  readonly available: readonly string[];
  readonly chosen: readonly string[];
  /** What the scopes mean. */
  readonly described?: readonly DescribedScope[];
  readonly hint?: string;
  readonly problems?: readonly string[];
  readonly isDisabled?: boolean;
  /** The chosen scopes after the change, in the order of the available scopes. */
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Scopes to choose from. */
export function ScopeBoxes(props: ScopeBoxesProps) {
  const {
    label = t('scopes.label'),
    available,
    chosen,
    described = [],
    hint,
    problems = [],
    isDisabled = false,
    onChange,
  } = props;
  const choose = (scope: string, isChosen: boolean) =>
    onChange(available.filter((other) => (other === scope ? isChosen : chosen.includes(other))));
  return (
    <FieldGroup label={label} hint={hint} problems={problems}>
      <div className="scope-boxes">
        {available.map((scope) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            description={scopeText(described, scope)}
            disabled={isDisabled}
            checked={chosen.includes(scope)}
            onChange={({ currentTarget }) => choose(scope, currentTarget.checked)}
          />
        ))}
        {available.length === 0 && <p className="quiet">{t('form.noScopes')}</p>}
      </div>
    </FieldGroup>
  );
}

/** What a scope means, in the language of these pages if there is such a text; `undefined` without any text. */
function scopeText(
  scopes: readonly DescribedScope[],
  scope: string,
  language: string = pageLanguage(),
): string | undefined {
  const { description, descriptions = {} } = scopes.find(({ name }) => name === scope) ?? {};
  return textIn(language, descriptions) ?? description ?? descriptions.en ?? Object.values(descriptions)[0];
}
