/** In the order of ISO 8601: Monday is day 1. */
export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const

export type Weekday = (typeof weekdays)[number]
