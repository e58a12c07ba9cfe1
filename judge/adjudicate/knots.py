"""Circular dependencies between questions: rotations, exchanges and convoy paradoxes.

Everything that follows from what is sure is worked out first. The questions still open are then drawn as a graph:
which depends on which. Groups that depend on nothing outside themselves are decided, one after the other, by trying
every answer and keeping those in which each order fits all the others:

- one answer: it is the result;
- several that agree on every convoy: a rotation or an exchange; the one in which the units move (XIV.5);
- none, or several that differ in a convoy: a paradox; the choice `paradox` decides.

The result depends on no order of evaluation. A group of n open questions costs at most 2^n trials and usually a
handful, because each guess settles most of the rest; `trials` counts them.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.adjudicate.bout import NO, OPEN, YES, Answer, Carriage
from judge.adjudicate.convoys import ARRIVES, MOVES, STANDS, board_fleets
from judge.adjudicate.solve import Solver
from judge.rules.choices import Paradox

Question = tuple[int, int]
"""MOVES, STANDS or ARRIVES, and a unit."""

Answers = dict[Question, Answer]


def untie(solver: Solver) -> int:
    """Decide every open question; the number of trials it took."""
    knots = Knots(solver)
    knots.ask_everything()
    while knots.narrow():
        for group in knots.groups():
            knots.decide(group)
    return knots.trials


class Knots:
    """The open questions of one bout."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.tables = (solver.fate, solver.standing, solver.carried)
        self.doubtful: list[Question] = []
        """The questions that were open when last looked at; none ever opens again."""
        self.trials = 0

    def ask_everything(self) -> None:
        """See to it that every question has been put."""
        bout, solver = self.solver.bout, self.solver
        moves = [(MOVES, unit) for unit in bout.moving() if solver.moves(unit) == OPEN]
        given = [unit for unit in bout.supporters if unit not in bout.faults]
        supports = [(STANDS, unit) for unit in given if solver.stands(unit) == OPEN]
        arrivals = [(ARRIVES, army) for army in solver.carried if solver.by_sea(army) == OPEN]
        self.doubtful = [*moves, *supports, *arrivals]

    def open_questions(self) -> list[Question]:
        """The questions without an answer."""
        self.doubtful = [(sort, unit) for sort, unit in self.doubtful if self.tables[sort][unit] == OPEN]
        return self.doubtful

    def narrow(self) -> list[Question]:
        """Answer what follows from what is known by now; what stays open."""
        before = -1
        questions = self.open_questions()
        while questions and len(questions) != before:
            before = len(questions)
            for sort, unit in questions:
                answer = self.judge(sort, unit)
                if answer != OPEN:
                    self.tables[sort][unit] = answer
            questions = self.open_questions()
        return questions

    def judge(self, sort: int, unit: int) -> int:
        """Put one question again, the answers to all others being as they stand."""
        self.trials += 1
        if sort == MOVES:
            return self.solver.judge_move(unit)
        if sort == STANDS:
            return self.solver.judge_support(unit)
        return self.solver.judge_convoy(unit)

    def groups(self) -> list[list[Question]]:
        """The groups of open questions that depend on nothing outside themselves."""
        hangs_on: dict[Question, set[Question]] = {}
        for question in self.open_questions():
            self.solver.heard.clear()
            self.judge(*question)
            hangs_on[question] = set(self.solver.heard)
        reach = {question: _closure(question, hangs_on) for question in hangs_on}
        groups: list[list[Question]] = []
        for question, reached in reach.items():
            group = sorted(reached)
            if question in reached and all(reach[other] == reached for other in group) and group not in groups:
                groups.append(group)
        return groups

    def decide(self, group: list[Question]) -> None:
        """Give a group the answers in which all its orders fit together, or let the paradox rule speak."""
        convoys = [question for question in group if question[0] == ARRIVES]
        found: list[Answers] = []
        for answers in self.answers(group):
            found.append(answers)
            if not convoys and NO not in answers.values():
                break  # everybody moves, and nothing is better than that
        if found and all(answers[each] == found[0][each] for answers in found for each in convoys):
            self.accept(max(found, key=_moves))
        elif not self._thundar(found, convoys):
            self._close_paradox(group)

    def accept(self, answers: Answers) -> None:
        """Write answers down."""
        for (sort, unit), answer in answers.items():
            self.tables[sort][unit] = answer

    def answers(self, group: list[Question]) -> Iterator[Answers]:
        """Every way to answer a group in which each answer follows from all the others."""
        known = {(sort, unit): self.tables[sort][unit] for sort, unit in group}
        if self._follow_through(group, known):
            pending = next((each for each in group if self.tables[each[0]][each[1]] == OPEN), None)
            if pending is None:
                yield {(sort, unit): self.tables[sort][unit] for sort, unit in group}
            else:
                sort, unit = pending
                for guess in (YES, NO):
                    self.tables[sort][unit] = guess
                    yield from self.answers(group)
        self.accept(known)

    def _follow_through(self, group: list[Question], known: Answers) -> bool:
        """Work out what follows from the guesses; False if it contradicts them."""
        changed = True
        while changed:
            changed = False
            for sort, unit in group:
                answer = self.judge(sort, unit)
                held = self.tables[sort][unit]
                if held == OPEN and answer != OPEN:
                    self.tables[sort][unit] = answer
                    changed = True
                elif answer not in (OPEN, held):
                    return False
        return True

    def _thundar(self, found: list[Answers], convoys: list[Question]) -> bool:
        """Ask first what happens if the army arrives; a convoy that undoes itself did not occur, which is
        what closing the paradox comes to. Of two convoys that undo each other the rule does not speak."""
        if self.solver.bout.rules.paradox is not Paradox.THUNDAR or len(convoys) != 1:
            return False
        arriving = [answers for answers in found if answers[convoys[0]] == YES]
        if arriving:
            self.accept(max(arriving, key=_moves))
        return bool(arriving)

    def _close_paradox(self, group: list[Question]) -> None:
        """No answer fits, or several: Szykman's rule (the fleets of the paradox hold), or nobody in it moves."""
        fleets = self._fleets(group)
        if fleets and self.solver.bout.rules.paradox is not Paradox.ALL_HOLD:
            for army, crew in fleets.items():
                self._hold(army, crew)
            return
        for sort, unit in group:
            if sort != STANDS:
                self._stop(unit)

    def _stop(self, mover: int) -> None:
        """A mover of the paradox stays, and has no effect where it wanted to go."""
        solver = self.solver
        solver.paradoxes[mover] = ()
        solver.carriage[mover] = Carriage(may_walk=False)
        solver.carried[mover] = solver.fate[mover] = NO

    def _fleets(self, group: list[Question]) -> dict[int, list[int]]:
        """Army -> those of its fleets over whose fate the paradox goes."""
        solver = self.solver
        doubtful: dict[int, list[int]] = {}
        for sort, army in group:
            if sort != ARRIVES:
                continue
            for fleet in solver.carriage[army].crew:
                attackers = solver.movers[solver.at[fleet]]
                if any((MOVES, attacker) in group for attacker in attackers):
                    doubtful.setdefault(army, []).append(fleet)
        return doubtful

    def _hold(self, army: int, crew: list[int]) -> None:
        """The convoy orders of these fleets become orders to hold; the army stays a convoyed army."""
        solver = self.solver
        carriage = solver.carriage[army]
        solver.paradoxes[army] = (*solver.paradoxes.get(army, ()), *crew)
        held = sum(1 << solver.at[fleet] for fleet in crew)
        board_fleets(solver.bout, army, carriage.fleets & ~held)


def _closure(question: Question, hangs_on: dict[Question, set[Question]]) -> frozenset[Question]:
    """Everything that a question depends on, directly or not."""
    seen: set[Question] = set()
    fresh = [question]
    while fresh:
        for other in hangs_on[fresh.pop()]:
            if other not in seen:
                seen.add(other)
                fresh.append(other)
    return frozenset(seen)


def _moves(answers: Answers) -> int:
    return sum(answer == YES for (sort, _), answer in answers.items() if sort == MOVES)
