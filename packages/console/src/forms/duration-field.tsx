import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/inputs.tsx';
import { useEnvironment } from '../environment.ts';
import { durationText } from '../format/time.ts';
import type { TypedClient } from '../rules/typed-client.ts';
import { t } from '../texts/texts.ts';
import { problemText } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface DurationFieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

/** Seconds. */
const usual = [900, 3600, 28_800, 86_400, 0];

/** A number of seconds, with what that is in words. */
export function DurationField({ form, isDisabled = false }: DurationFieldProps) {
  const { expireDuration, allowedImplicitGrant } = form.values;
  const { implicitLifetime } = useEnvironment();
  const implicit = allowedImplicitGrant ? ` ${t('duration.implicit', { seconds: implicitLifetime })}` : '';
  const label = form.labels.expireDuration;
  return (
    <div>
      <TextInput
        className="duration-input"
        label={t('duration.label', { field: label })}
        description={inWords(expireDuration, implicit)}
        isDescribedBelow
        inputMode="numeric"
        autoComplete="off"
        disabled={isDisabled}
        value={expireDuration}
        error={problemText(label, form.problemsOf('expireDuration'))}
        onBlur={() => form.leave('expireDuration')}
        onChange={({ currentTarget }) =>
          form.set('expireDuration', currentTarget.value.replaceAll(/\D/g, '').slice(0, 12))
        }
      />
      {!isDisabled && (
        <div className="quick-choices">
          {usual.map((seconds) => (
            <Button
              key={seconds}
              size="compact-xs"
              variant="default"
              aria-pressed={String(seconds) === expireDuration}
              onClick={() => form.set('expireDuration', String(seconds))}
            >
              {seconds === 0 ? t('lifetime.none') : durationText(seconds, 'short')}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** @param implicit what holds for implicit tokens where there is no expiry */
function inWords(seconds: string, implicit: string): string {
  if (seconds === '') return t('duration.empty');
  if (Number(seconds) > 0) return durationText(Number(seconds));
  return `${t('duration.never')}${implicit}`;
}
