/** Looking into data whose shape has not been checked: what is missing or of another kind is empty. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toMap(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
