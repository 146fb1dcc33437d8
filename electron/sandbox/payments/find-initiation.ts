import { scanJson } from '@shared/json/json-scanner';
import { JSON_STRING } from '@shared/json/json-sink';
import { SignedFieldFinder } from '@shared/signing/signed-fields';

/**
 * Finds, in one scan of an initiation's body, its signed fields and where its `meta` stands.
 *
 * `meta` is echoed in webhooks as it was written, so its literal is cut out of the body.
 */
export class InitiationFinder extends SignedFieldFinder {
  private level = 0;
  private isMeta = false;
  private metaStart = -1;
  private metaEnd = -1;

  constructor(private readonly body: string) {
    super(body);
  }

  override key(start: number, end: number, hasEscape: boolean): void {
    if (this.level === 1) this.isMeta = this.isKey('meta', start, end, hasEscape);
    super.key(start, end, hasEscape);
  }

  override scalar(kind: number, start: number, end: number, hasEscape: boolean): void {
    if (this.level === 1 && this.isMeta) {
      const quote = kind === JSON_STRING ? 1 : 0;
      this.metaStart = start - quote;
      this.metaEnd = end + quote;
    }
    super.scalar(kind, start, end, hasEscape);
  }

  override open(kind: number, start: number): void {
    if (this.level === 1 && this.isMeta) {
      this.metaStart = start;
      this.metaEnd = -1;
    }
    this.level += 1;
    super.open(kind, start);
  }

  override close(end: number): void {
    this.level -= 1;
    if (this.level === 1 && this.isMeta && this.metaEnd === -1) this.metaEnd = end;
    super.close(end);
  }

  /** The literal of `meta`, the last one where it repeats; null where there is none. */
  metaLiteral(): string | null {
    return this.metaEnd === -1 ? null : this.body.slice(this.metaStart, this.metaEnd);
  }
}

/** Scans a body that was read as JSON before. */
export function findInitiation(body: string): InitiationFinder {
  const finder = new InitiationFinder(body);
  scanJson(body, finder);
  return finder;
}
