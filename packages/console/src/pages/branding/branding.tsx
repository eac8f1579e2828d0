import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Branding } from '@watchword/admin-client';
import { useMemo } from 'react';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { Field } from '../../controls/field.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { FormFoot } from '../../forms/form-foot.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { type BrandingForm, problemOf, type TypedBranding } from './branding-form.tsx';
import { Colours } from './colours.tsx';
import { Texts } from './page-texts.tsx';
import { Preview } from './preview.tsx';
import './branding.css';

/** How pages look and what they say, beside a preview of every page. */
export function BrandingPage() {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['branding'],
    queryFn: ({ signal }) => admin.branding.get({ signal }),
  });
  return (
    <>
      <PageHeader title={t('branding.title')} lead={t('branding.lead')} />
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={8} />
      ) : (
        <Editor record={data.record} version={data.version} />
      )}
    </>
  );
}

function typedBranding({ productName, logo, lightColours, darkColours, texts }: Branding): TypedBranding {
  return { productName, logo, lightColours, darkColours, texts };
}

function Editor({ record, version }: { readonly record: Branding; readonly version: string | undefined }) {
  const { admin } = useEnvironment();
  const queries = useQueryClient();
  const notify = useNotice();
  const form = useRecordForm<TypedBranding>({
    draftKey: 'branding',
    stored: useMemo(() => ({ typed: typedBranding(record), version }), [record, version]),
    labels: {
      productName: t('branding.name'),
      logo: t('branding.logo'),
      lightColours: t('branding.light'),
      darkColours: t('branding.dark'),
      texts: t('branding.texts'),
    },
    rules: () => ({}),
    save: async (typed, basedOn) => {
      const saved = await admin.branding.replace(typed, { version: basedOn });
      queries.setQueryData(['branding'], saved);
      notify(t('branding.saved'));
    },
    reread: async () => {
      const found = await admin.branding.get();
      queries.setQueryData(['branding'], found);
      return { typed: typedBranding(found.record), version: found.version };
    },
  });
  return (
    <div className="branding">
      <form className="form" onSubmit={form.submit} noValidate>
        {record.settings.length > 0 && (
          <p className="warning" role="note">
            {rich('branding.settings', { names: <code>{record.settings.join(', ')}</code> })}
          </p>
        )}
        <FormSection title={t('branding.identity')} lead={t('branding.identityLead')}>
          <TextInput
            label={t('branding.name')}
            value={form.values.productName}
            maxLength={60}
            error={problemOf(form, 'productName')}
            onChange={({ currentTarget }) => form.set('productName', currentTarget.value)}
          />
          <LogoField form={form} />
        </FormSection>
        <Colours form={form} />
        <Texts form={form} languages={record.languages} />
        <FormFoot form={form} action={t('action.save')} />
      </form>
      <Preview typed={form.values} languages={record.languages} />
    </div>
  );
}

/** A picture of the user's machine, as a data URL. */
function LogoField({ form }: { readonly form: BrandingForm }) {
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
