/** A time as a person at night reads it: the time of day in UTC, and the day where it was not today. */
export function timeWords(instant: string, now: number): string {
  const date = new Date(instant);
  const [day = '', time = ''] = date.toISOString().split('T');
  const isToday = day === new Date(now).toISOString().slice(0, 10);
  const clock = `${time.slice(0, 5)} UTC`;
  return isToday ? clock : `${day} ${clock}`;
}
