import type { Branding } from '@watchword/admin-client';
import type { RecordForm } from '../../forms/use-record-form.ts';

export type TypedBranding = Pick<Branding, 'productName' | 'logo' | 'lightColours' | 'darkColours' | 'texts'>;
export type BrandingForm = RecordForm<TypedBranding>;

export function problemOf(form: BrandingForm, name: keyof TypedBranding) {
  const problems = form.problemsOf(name);
  return problems.length === 0
    ? undefined
    : problems.map((problem) => (
        <span key={problem} className="field-problem">
          {problem}
        </span>
      ));
}
