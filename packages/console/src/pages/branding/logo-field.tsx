import { Button } from '../../controls/button.tsx';
import { Field } from '../../controls/field.tsx';
import { t } from '../../texts/texts.ts';
import { type BrandingForm, problemOf } from './branding-form.tsx';

/** A picture of the user's machine, as a data URL. */
export function LogoField({ form }: { readonly form: BrandingForm }) {
  const read = (file: File | undefined) => {
    if (file === undefined) return;
    const reader = new FileReader();
    reader.onload = () => form.set('logo', String(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <Field label={t('branding.logo')} description={t('branding.logoHint')} error={problemOf(form, 'logo')}>
      {(links) => (
        <div className="logo-field">
          <input
            {...links}
            type="file"
            accept="image/svg+xml,image/png"
            onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
          />
          {form.values.logo !== '' && (
            <Button size="xs" variant="default" onClick={() => form.set('logo', '')}>
              {t('branding.removeLogo')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
