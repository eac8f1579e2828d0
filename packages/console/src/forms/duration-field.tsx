import { Button, TextInput } from '@mantine/core';
import { useEnvironment } from '../environment.ts';
import { durationText } from '../format/time.ts';
import type { TypedClient } from '../rules/typed-client.ts';
import { problemText } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface DurationFieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

const usual = [
  { label: '15 min', value: '900' },
  { label: '1 h', value: '3600' },
  { label: '8 h', value: '28800' },
  { label: '1 day', value: '86400' },
  { label: 'no expiry', value: '0' },
];

/** A number of seconds, with what that is in words. */
export function DurationField({ form, isDisabled = false }: DurationFieldProps) {
  const { expireDuration, allowedImplicitGrant } = form.values;
  const { implicitLifetime } = useEnvironment();
  const implicit = allowedImplicitGrant
    ? ` Implicit tokens expire after ${durationText(implicitLifetime)}.`
    : '';
  const label = form.labels.expireDuration;
  return (
    <div>
      <TextInput
        size="sm"
        className="duration-input"
        label={`${label} in seconds`}
        description={inWords(expireDuration, implicit)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
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
          {usual.map(({ label, value }) => (
            <Button
              key={value}
              size="compact-xs"
              variant="default"
              aria-pressed={value === expireDuration}
              onClick={() => form.set('expireDuration', value)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** @param implicit what holds for implicit tokens where there is no expiry */
function inWords(seconds: string, implicit: string): string {
  if (seconds === '') return 'A whole number; 0 = no expiry';
  if (Number(seconds) > 0) return durationText(Number(seconds));
  return `No expiry: tokens are valid until they are revoked. Some client libraries read this as expired, unless the server sets token.omitZeroExpiresIn.${implicit}`;
}
