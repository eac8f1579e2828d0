import { useId } from 'react';
import { Button } from '../../controls/button.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { t } from '../../texts/texts.ts';
import { type BrandingForm, problemOf } from './branding-form.tsx';

/** The built-in colours, as the stylesheet of the pages has them. */
const builtIn = {
  accent: ['#17615c', '#7fcfc2'],
  'on-accent': ['#ffffff', '#06231f'],
  page: ['#f4f3ee', '#111514'],
  surface: ['#ffffff', '#191f1d'],
  ink: ['#1b201f', '#e9eeec'],
  'ink-quiet': ['#5a6360', '#a3aeaa'],
} as const;

type Name = keyof typeof builtIn;

const names = Object.keys(builtIn) as Name[];

const labels = {
  accent: 'accent',
  'on-accent': 'onAccent',
  page: 'page',
  surface: 'surface',
  ink: 'ink',
  'ink-quiet': 'inkQuiet',
} as const;

export function Colours({ form }: { readonly form: BrandingForm }) {
  return (
    <FormSection title={t('branding.colours')} lead={t('branding.coloursLead')}>
      <Scheme form={form} field="lightColours" at={0} title={t('branding.light')} />
      <Scheme form={form} field="darkColours" at={1} title={t('branding.dark')} />
    </FormSection>
  );
}

interface SchemeProps {
  readonly form: BrandingForm;
  readonly field: 'lightColours' | 'darkColours';
  readonly at: 0 | 1;
  readonly title: string;
}

function Scheme({ form, field, at, title }: SchemeProps) {
  const values = form.values[field];
  const error = problemOf(form, field);
  const errorId = useId();
  const set = (name: Name, value: string | undefined) => {
    const { [name]: _, ...others } = values;
    form.set(field, value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <fieldset className="field-group colours" aria-describedby={error && errorId}>
      <legend>{title}</legend>
      <div className="colour-grid">
        {names.map((name) => (
          <div key={name} className="colour">
            <label>
              <input
                type="color"
                value={values[name] ?? builtIn[name][at]}
                aria-invalid={error !== undefined || undefined}
                onChange={({ currentTarget }) => set(name, currentTarget.value)}
              />
              <span>{t(`branding.colour.${labels[name]}`)}</span>
            </label>
            {values[name] !== undefined && (
              <Button size="xs" variant="subtle" onClick={() => set(name, undefined)}>
                {t('branding.reset')}
              </Button>
            )}
          </div>
        ))}
      </div>
      {error !== undefined && (
        <div id={errorId} className="field-error">
          {error}
        </div>
      )}
    </fieldset>
  );
}
