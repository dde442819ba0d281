"""The matching of greatest weight that fangs chooses among equally good ones, step by step.

Rows in order take the free column of their largest weight, the first of several. Rows left over bid
(augmenting row reduction; Jonker and Volgenant 1987), then go by shortest augmenting paths, where
"unmatched" is a choice of value 0. Nothing here is packed, padded or vectorised.
"""

import numpy as np


def solve(weights):
    """Mates of the rows (-1 where unmatched); weights are (rows, columns), none negative."""
    weights = np.asarray(weights).astype(np.int64).tolist()
    n_columns = len(weights[0]) if weights else 0
    state = _State(weights, n_columns)
    open_rows = [row for row in range(len(weights)) if not state.take_row_maximum(row)]
    for row in state.bid(open_rows):
        state.augment(row)
    return np.array(state.mate_of_row, dtype=np.int64)


def total(weights):
    """The greatest total weight."""
    weights = np.asarray(weights)
    return sum(int(weights[r, c]) for r, c in enumerate(solve(weights)) if c >= 0)


class _State:
    def __init__(self, weights, n_columns):
        self.weights, self.columns = weights, range(n_columns)
        self.row_dual, self.column_dual = [0] * len(weights), [0] * n_columns
        self.mate_of_row, self.mate_of_column = [-1] * len(weights), [-1] * n_columns

    def values(self, row):
        """What each column is to the row, after its price."""
        return [self.weights[row][c] - self.column_dual[c] for c in self.columns]

    def join(self, row, column):
        self.mate_of_row[row], self.mate_of_column[column] = column, row

    def first_free(self, columns):
        return next((c for c in columns if self.mate_of_column[c] < 0), None)

    def take_row_maximum(self, row):
        best = max([0, *self.weights[row]])
        self.row_dual[row] = best
        if best == 0:
            return True
        column = self.first_free(c for c in self.columns if self.weights[row][c] == best)
        if column is not None:
            self.join(row, column)
        return column is not None

    def bid(self, open_rows):
        """Open rows take their best column and raise its price; rows that are still open."""
        bids_left, still_open = 4 * len(open_rows) + 8, []
        for row in open_rows:
            is_open = True
            while is_open and bids_left > 0:
                values = self.values(row)
                best, second = sorted([0, 0, *values], reverse=True)[:2]
                self.row_dual[row] = second
                if best == 0:
                    is_open = False
                    break
                tight = [c for c in self.columns if values[c] == best]
                free = self.first_free(tight)
                if free is not None:
                    self.row_dual[row] = best
                    self.join(row, free)
                    is_open = False
                    break
                if best == second:
                    break
                holder = self.mate_of_column[tight[0]]
                self.column_dual[tight[0]] += best - second
                self.mate_of_row[holder] = -1
                self.join(row, tight[0])
                row, bids_left = holder, bids_left - 1
            if is_open:
                still_open.append(row)
        return still_open

    def augment(self, source):
        """Shortest path to a free column, or to a row that gives up its mate."""
        self.row_dual[source] = max([0, *self.values(source)])
        scanned = [
            (source, self.row_dual[source], 0)
        ]  # row, cost to leave there, cost to get there
        distance = dict.fromkeys(self.columns, np.inf)
        end, taken, reach = self.find_end(scanned, distance)
        path = [(scanned[end][0], taken)]
        at = end
        while at != 0:
            row, _, cost = scanned[at]
            column = self.mate_of_row[row]
            at = self.giver(scanned[:at], column, cost)
            path.append((scanned[at][0], column))
        for row, _, cost in scanned:
            self.row_dual[row] -= reach - cost
            if row != source:
                self.column_dual[self.mate_of_row[row]] += reach - cost
        for row, column in path:
            self.mate_of_row[row] = column
            if column >= 0:
                self.mate_of_column[column] = row

    def find_end(self, scanned, distance):
        at = 0
        while True:
            row, base, _ = scanned[at]
            for c in distance:
                offer = base + self.column_dual[c] - self.weights[row][c]
                distance[c] = min(distance[c], offer)
            at += 1
            if at < len(scanned):
                continue
            reach = min(distance.values(), default=np.inf)
            leaver = min(range(len(scanned)), key=lambda i: scanned[i][1])
            if scanned[leaver][1] <= reach:
                return leaver, -1, scanned[leaver][1]
            nearest = [c for c in distance if distance[c] == reach]
            free = self.first_free(nearest)
            if free is not None:
                return self.giver(scanned, free, reach), free, reach
            for c in nearest:
                del distance[c]
                holder = self.mate_of_column[c]
                scanned.append((holder, reach + self.row_dual[holder], reach))

    def giver(self, scanned, column, cost):
        """The last scanned row that offered the column at this cost."""
        for at in range(len(scanned) - 1, 0, -1):
            row, base, _ = scanned[at]
            if base + self.column_dual[column] - self.weights[row][column] == cost:
                return at
        return 0
